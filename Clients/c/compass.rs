//! Prints the heading of the machine. Usage: compass [COUNT], by default without end.
//! rustc compass.rs $(pkg-config --libs-only-L lodestar)
use std::ffi::{c_char, c_int, CStr};

/// As in lodestar.h.
#[repr(C)]
#[derive(Default)]
struct Heading {
    size: usize,
    state: i32,
    is_simulated: i32,
    utc: i64,
    from_true: f64,
    from_magnetic: f64,
    true_accuracy: f64,
    magnetic_accuracy: f64,
    pitch: f64,
    roll: f64,
}

#[repr(C)]
struct Connection {
    _private: [u8; 0],
}

#[link(name = "lodestar")]
extern "C" {
    fn lodestar_error() -> *const c_char;
    fn lodestar_open(application: *const c_char, socket: *const c_char) -> *mut Connection;
    fn lodestar_close(connection: *mut Connection);
    fn lodestar_wait(connection: *mut Connection, milliseconds: c_int) -> c_int;
    fn lodestar_read_heading(connection: *mut Connection, heading: *mut Heading) -> c_int;
}

fn error() -> String {
    // The text is this thread's and lasts until the next call.
    unsafe { CStr::from_ptr(lodestar_error()) }.to_string_lossy().into_owned()
}

/// A connection, closed at the end of its scope.
struct Board(*mut Connection);

impl Board {
    fn open(application: &CStr) -> Result<Board, String> {
        let connection = unsafe { lodestar_open(application.as_ptr(), std::ptr::null()) };
        if connection.is_null() { Err(error()) } else { Ok(Board(connection)) }
    }

    /// The newest heading; None after `milliseconds` without news.
    fn heading(&self, milliseconds: c_int) -> Result<Option<Heading>, String> {
        let mut heading = Heading { size: std::mem::size_of::<Heading>(), ..Heading::default() };
        match unsafe { lodestar_wait(self.0, milliseconds) } {
            0 => Ok(None),
            1 if unsafe { lodestar_read_heading(self.0, &mut heading) } == 0 => Ok(Some(heading)),
            _ => Err(error()),
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        unsafe { lodestar_close(self.0) }
    }
}

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse::<u64>().ok()).unwrap_or(u64::MAX);
    let name = CStr::from_bytes_with_nul(b"org.example.compass\0").expect("a C string");
    let board = Board::open(name).unwrap_or_else(|text| {
        eprintln!("compass: {text}");
        std::process::exit(1)
    });
    for _ in 0..count {
        match board.heading(2000) {
            Ok(Some(h)) => println!(
                "heading {:.1} true, {:.1} magnetic, within {:.1} degrees, state {}, at {}, pitch {:.1}, roll {:.1}",
                h.from_true, h.from_magnetic, h.magnetic_accuracy, h.state, h.utc, h.pitch, h.roll
            ),
            Ok(None) => eprintln!("compass: no news"),
            Err(text) => eprintln!("compass: {text}"),
        }
    }
}

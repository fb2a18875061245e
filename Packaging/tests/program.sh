# In a Debian 13 of another architecture: a program that was built for it elsewhere runs with libcorelocation alone.
. /tests/common.sh
export LODESTAR_SOURCE=simulate XDG_STATE_HOME=/tmp/state
. /etc/os-release
echo "$PRETTY_NAME, $(dpkg --print-architecture)"
use /repository
clean apt-get -q update
clean apt-get -q install -y --no-install-recommends libcorelocation
check 'the program finds every library' sh -c 'libraries=$(ldd /programs/Compass6) && ! echo "$libraries" | grep "not found"'
check 'it receives headings' prints 'heading true true' timeout 300 /programs/Compass6
check 'the modules can be installed with the compiler' apt-get -q --simulate install libcorelocation-dev
clean apt-get -q purge -y libcorelocation
check 'nothing is left' sh -c '! find / -xdev -iname "*corelocation*" -path "/usr/*" | grep .'
echo done

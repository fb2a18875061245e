const socket = new WebSocket((location.protocol === "https:" ? "wss://" : "ws://") + location.host + "/api/v1/stream");
socket.onmessage = (event) => {
  const message = JSON.parse(event.data);
  const heading = message.type === "estimate" ? message.estimate.magneticHeading : undefined;
  if (heading !== undefined) document.getElementById("heading").textContent = heading.toFixed(0) + "°";
};

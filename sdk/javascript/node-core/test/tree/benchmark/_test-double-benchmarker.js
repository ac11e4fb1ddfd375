'use strict';
// Replaces the checkout's own test double: a client that sends one request to the URL in the
// environment.
require(process.argv[2]).get(process.env.test_url, (answer) => {
  answer.resume().on('end', () => console.log(JSON.stringify({ throughput: answer.statusCode === 200 ? 8 : 0 })));
});
